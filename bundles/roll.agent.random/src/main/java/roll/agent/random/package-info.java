/** The agent {@code random}: valid actions by chance. */
@NullMarked
package roll.agent.random;

import org.jspecify.annotations.NullMarked;
