/** Recorded episodes, played again for their pictures. */
@NullMarked
package roll.rollout.replay;

import org.jspecify.annotations.NullMarked;
