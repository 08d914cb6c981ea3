/** Training with layers cut over tensor-parallel ranks and pipeline stages. */
@NullMarked
package roll.strategy.megatron;

import org.jspecify.annotations.NullMarked;
