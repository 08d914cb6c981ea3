/** A calculator for agents. */
@NullMarked
package roll.tool.calculator;

import org.jspecify.annotations.NullMarked;
