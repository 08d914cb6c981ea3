/** Tests of generation. */
@NullMarked
package roll.strategy.hf_infer;

import org.jspecify.annotations.NullMarked;
