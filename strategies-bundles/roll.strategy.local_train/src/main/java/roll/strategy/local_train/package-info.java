/** Training on one device, by gradient accumulation and an optimizer. */
@NullMarked
package roll.strategy.local_train;

import org.jspecify.annotations.NullMarked;
