/** What a response does in an episode: an action in the environment, or calls of tools. */
@NullMarked
package roll.rollout.action;

import org.jspecify.annotations.NullMarked;
