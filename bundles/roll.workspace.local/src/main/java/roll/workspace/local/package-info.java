/** Workspaces on this machine, isolated by the Linux kernel. */
@NullMarked
package roll.workspace.local;

import org.jspecify.annotations.NullMarked;
