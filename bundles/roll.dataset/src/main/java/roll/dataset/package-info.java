/** Reads data sets from files. */
@NullMarked
package roll.dataset;

import org.jspecify.annotations.NullMarked;
