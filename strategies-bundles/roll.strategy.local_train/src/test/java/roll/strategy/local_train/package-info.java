/** Tests of training on one device. */
@NullMarked
package roll.strategy.local_train;

import org.jspecify.annotations.NullMarked;
