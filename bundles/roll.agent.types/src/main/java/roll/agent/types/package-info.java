/** Formats of tool calls: Hermes, ReAct, code blocks, thinking, graphical actions. */
@NullMarked
package roll.agent.types;

import org.jspecify.annotations.NullMarked;
