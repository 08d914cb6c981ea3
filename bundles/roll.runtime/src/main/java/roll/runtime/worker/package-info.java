/** Worker roles and the tasks that the pipeline gives them. */
@Export
@NullMarked
@Version("1.0.0")
package roll.runtime.worker;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
