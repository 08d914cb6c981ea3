/** Tests of the strategies and of their keys. */
@NullMarked
package roll.strategy.megatron;

import org.jspecify.annotations.NullMarked;
