/** Tracker wandb: metrics for a server of wandb. */
@NullMarked
package roll.tracking.wandb;

import org.jspecify.annotations.NullMarked;
