/** Tests of the Qwen3-VL architecture. */
@NullMarked
package roll.model.qwen3_vl;

import org.jspecify.annotations.NullMarked;
