/** Tools: what an agent may call while it answers. */
@Export
@NullMarked
@Version("1.0.0")
package roll.api.tool;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
