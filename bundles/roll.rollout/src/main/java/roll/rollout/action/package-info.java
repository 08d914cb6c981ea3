/** Execution of responses: actions in the environment, or tool calls. */
@NullMarked
package roll.rollout.action;

import org.jspecify.annotations.NullMarked;
