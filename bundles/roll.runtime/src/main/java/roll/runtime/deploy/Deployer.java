package roll.runtime.deploy;

import java.nio.file.Path;
import java.util.function.Consumer;
import org.osgi.annotation.versioning.ProviderType;

/** Puts jars into the watched folder and takes them out of it. */
@ProviderType
public interface Deployer {
  /**
   * Copies {@code jar} into the folder, in place of an older one of the same symbolic name, and
   * waits until it serves. A jar that is refused is taken out again, and what it replaced is put
   * back.
   *
   * @param notice told what is waited for, where that takes long
   * @return what serves now and what it offers, such as {@code maze 1.0.0: roll.env=maze}
   * @throws roll.api.option.UserException if it is refused: why
   * @throws InterruptedException if the wait was interrupted; the jar stays where it is
   */
  String deploy(Path jar, Consumer<String> notice) throws InterruptedException;

  /**
   * Removes a jar from the folder and waits until its bundle is gone.
   *
   * @param name symbolic name of the bundle, or the name of its file
   * @param notice told what is waited for, where that takes long
   * @return name and version of what is gone
   * @throws roll.api.option.UserException if nothing of this name was deployed
   * @throws InterruptedException if the wait was interrupted; the file is gone then
   */
  String undeploy(String name, Consumer<String> notice) throws InterruptedException;

  /**
   * Waits until what lies in the folder when the system starts has been looked at.
   *
   * @throws InterruptedException if the wait was interrupted
   */
  void settle() throws InterruptedException;
}
