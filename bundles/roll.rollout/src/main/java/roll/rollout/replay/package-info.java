/** Replays of recorded episodes, for their pictures. */
@NullMarked
package roll.rollout.replay;

import org.jspecify.annotations.NullMarked;
