/** A style sheet as a text, made small by the build. */
declare module "*.css" {
  const text: string;
  export default text;
}
