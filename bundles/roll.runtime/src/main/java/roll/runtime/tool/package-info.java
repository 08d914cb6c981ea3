/** Arguments of tool calls, checked against their schema. */
@Export
@NullMarked
@Version("1.0.0")
package roll.runtime.tool;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
