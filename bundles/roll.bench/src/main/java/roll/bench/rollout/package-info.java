/** What rollouts are measured with: a world that fails, and the settings of a measurement. */
@NullMarked
package roll.bench.rollout;

import org.jspecify.annotations.NullMarked;
