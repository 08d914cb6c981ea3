/** A tool that runs the Python a model writes. */
@NullMarked
package roll.tool.python;

import org.jspecify.annotations.NullMarked;
