/** The policy loss of CISPO (MiniMax 2025): clipped ratios as constant weights. */
@NullMarked
package roll.loss.cispo;

import org.jspecify.annotations.NullMarked;
