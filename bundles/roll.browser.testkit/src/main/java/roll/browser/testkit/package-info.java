/** Pages in a real browser, used as people use them: for tests. */
@Export
@NullMarked
@Version("1.0.0")
package roll.browser.testkit;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
