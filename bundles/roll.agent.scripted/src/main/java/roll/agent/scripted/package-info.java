/** The agent {@code scripted}: what an expert would do. */
@NullMarked
package roll.agent.scripted;

import org.jspecify.annotations.NullMarked;
