/** The typed configuration of a run, and how to load it. */
@Export
@NullMarked
@Version("1.0.0")
package roll.runtime.config;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
