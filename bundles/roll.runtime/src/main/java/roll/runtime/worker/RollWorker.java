package roll.runtime.worker;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.osgi.annotation.bundle.Attribute;
import org.osgi.annotation.bundle.Capability;
import org.osgi.service.component.annotations.ComponentPropertyType;

/**
 * Names a {@link WorkerRole} service: the role's key in the configuration, or the value of {@code
 * worker} of a custom role.
 *
 * <p>One annotation gives both the service property {@code roll.worker} and a capability of that
 * namespace, so that a distribution can require the bundle by what it offers.
 */
@Capability(namespace = "roll.worker", version = "1.0.0")
@ComponentPropertyType
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.TYPE)
public @interface RollWorker {
  /** The names of the role in a configuration; the first is the canonical one. */
  @Attribute("roll.worker")
  String[] value();
}
