/** The nodes of a run and the messages between them. */
@Export
@NullMarked
@Version("1.0.0")
package roll.cluster;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
