/** Programs of other languages, and servers, that answer requests written as lines of JSON. */
@Export
@NullMarked
@Version("1.0.0")
package roll.bridge;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
