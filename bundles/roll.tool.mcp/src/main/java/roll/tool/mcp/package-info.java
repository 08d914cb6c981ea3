/** The tool {@code mcp}: tools of any server that speaks the Model Context Protocol. */
@NullMarked
package roll.tool.mcp;

import org.jspecify.annotations.NullMarked;
