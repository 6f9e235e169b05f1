/**
 * Files that can run code once they are opened on a computer, by the end of their names. Agents are warned before they save one
 * that a visitor has sent. Browsers run none of them from here (`file-type.ts`).
 */
const RISKY_ENDINGS = new Set(
  `
  apk app appimage application appinstaller appref-ms appx bat bin chm cmd com command cpl csh deb desktop dll dmg exe
  gadget hlp hta img inf ins iqy iso jar jnlp js jse ksh library-ms lnk mjs msc msi msix msp mst one pif pkg pl ps1 psd1
  psm1 py pyw rb reg rpm run scf scpt scr sct settingcontent-ms sh shb slk sys terminal url vb vbe vbs vhd vhdx webloc
  workflow ws wsc wsf wsh xll
  docm dotm potm ppam ppsm pptm sldm xla xlam xlsm xltm
  htm html mht mhtml shtml svg svgz swf xht xhtml
  `.match(/\S+/g),
);

/** Windows leaves out dots and spaces at the end of a name: `evil.exe.` is `evil.exe`. */
const ENDING = /\.([^.\s]+)[.\s]*$/;

export function isRiskyFile(name: string): boolean {
  return RISKY_ENDINGS.has(ENDING.exec(name)?.[1]?.toLowerCase() ?? "");
}
