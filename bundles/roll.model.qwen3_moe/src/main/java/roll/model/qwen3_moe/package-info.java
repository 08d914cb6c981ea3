/** The Qwen3-MoE architecture. */
@NullMarked
package roll.model.qwen3_moe;

import org.jspecify.annotations.NullMarked;
