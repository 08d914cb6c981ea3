/** Workspaces: directory trees of an episode in which untrusted commands run. */
@Export
@NullMarked
@Version("1.0.0")
package roll.api.workspace;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
