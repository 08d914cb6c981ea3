@NullMarked
package roll.tracking.wandb;

import org.jspecify.annotations.NullMarked;
