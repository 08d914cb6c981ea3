/** Workspaces in containers of podman or Docker. */
@NullMarked
package roll.workspace.container;

import org.jspecify.annotations.NullMarked;
