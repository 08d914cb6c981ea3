/** Sessions with servers of the Model Context Protocol, each an episode's own. */
@NullMarked
package roll.env.remote.mcp;

import org.jspecify.annotations.NullMarked;
