/** The commands {@code estimator} and {@code loss}: formulas, examples and trials. */
@NullMarked
package roll.shell.algorithm;

import org.jspecify.annotations.NullMarked;
