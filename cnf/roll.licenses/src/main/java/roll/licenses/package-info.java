/** Detects the libraries inside jars and adds their license texts and notices. */
@NullMarked
package roll.licenses;

import org.jspecify.annotations.NullMarked;
