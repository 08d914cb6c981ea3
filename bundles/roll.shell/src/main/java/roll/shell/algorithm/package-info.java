/** The commands {@code estimator} and {@code loss}. */
@NullMarked
package roll.shell.algorithm;

import org.jspecify.annotations.NullMarked;
