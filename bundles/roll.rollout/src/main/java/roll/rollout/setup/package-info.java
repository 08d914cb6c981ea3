/**
 * The plugins of a rollout, leased and configured: environments, rewards, tools, filter and agent.
 */
@NullMarked
package roll.rollout.setup;

import org.jspecify.annotations.NullMarked;
