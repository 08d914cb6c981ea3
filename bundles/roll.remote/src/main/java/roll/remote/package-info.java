/** Services over HTTP: asked patiently, fed from a queue. */
@Export
@NullMarked
@Version("1.0.0")
package roll.remote;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
