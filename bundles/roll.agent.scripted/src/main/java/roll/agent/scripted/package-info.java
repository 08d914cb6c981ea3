/** The agent {@code scripted}: actions of the expert. */
@NullMarked
package roll.agent.scripted;

import org.jspecify.annotations.NullMarked;
