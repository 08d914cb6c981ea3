/**
 * Services leased from the registry: what a run requires, who offers it, and guards around what
 * plugins do.
 */
@NullMarked
package roll.core.plugin;

import org.jspecify.annotations.NullMarked;
