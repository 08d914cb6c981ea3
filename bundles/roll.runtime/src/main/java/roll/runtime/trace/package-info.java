/** Spans of a run: of its steps and its episodes. */
@Export
@NullMarked
@Version("1.0.0")
package roll.runtime.trace;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
