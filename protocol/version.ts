/** The version of this package, for what it says about itself. */

/** The package's version, equal to the one in its manifest. */
export const VERSION = "0.1.0";
