/** The live page over HTTP. */
@NullMarked
package roll.ui;

import org.jspecify.annotations.NullMarked;
