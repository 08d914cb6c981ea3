/** The agent {@code random}: random valid actions. */
@NullMarked
package roll.agent.random;

import org.jspecify.annotations.NullMarked;
