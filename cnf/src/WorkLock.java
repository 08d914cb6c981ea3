import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A lock on the tree, so that a second {@code ./dev} waits. */
record WorkLock(FileChannel file) implements AutoCloseable {

  /** Waits for the lock, with a message. */
  static WorkLock take(Path root) throws IOException {
    Path path = Files.createDirectories(root.resolve("target/dev")).resolve("lock");
    FileChannel file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    if (file.tryLock() == null) {
      System.out.println("another ./dev is building here, waiting for it ...");
      file.lock();
    }
    return new WorkLock(file);
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
