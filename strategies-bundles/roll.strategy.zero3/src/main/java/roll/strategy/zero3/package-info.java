/** Training with parameters, gradients and optimizer state sharded over data-parallel ranks. */
@NullMarked
package roll.strategy.zero3;

import org.jspecify.annotations.NullMarked;
