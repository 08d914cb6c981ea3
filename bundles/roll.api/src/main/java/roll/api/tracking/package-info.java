/** Trackers: where metrics and spans of a run go. */
@Export
@NullMarked
@Version("1.0.0")
package roll.api.tracking;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
