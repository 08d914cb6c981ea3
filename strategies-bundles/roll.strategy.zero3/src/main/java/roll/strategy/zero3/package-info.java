/** Training with parameters, gradients and optimizer cut over data-parallel ranks. */
@NullMarked
package roll.strategy.zero3;

import org.jspecify.annotations.NullMarked;
