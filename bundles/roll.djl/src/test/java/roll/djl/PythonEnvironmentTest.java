package roll.djl;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Folders as venv, conda, Debian and pip's --user make them; no Python is needed. */
class PythonEnvironmentTest {
  @TempDir Path home;

  @Test
  void aVirtualEnvironmentByItsFolderAndByItsPython() throws IOException {
    Path torch = torch("venv/lib/python3.12/site-packages");
    Path base = file("usr/bin/python3.12");
    Path bin = Files.createDirectories(home.resolve("venv/bin"));
    Path python = Files.createSymbolicLink(bin.resolve("python"), base);
    assertEquals(List.of(torch), new PythonEnvironment(home.resolve("venv")).torches());
    assertEquals(List.of(torch), new PythonEnvironment(python).torches());
  }

  @Test
  void aPythonOfTheSystemSeesThePackagesOfItsOwnVersion() throws IOException {
    Path old = torch("usr/local/lib/python3.9/dist-packages");
    Path torch = torch("usr/local/lib/python3.11/dist-packages");
    Path python = file("usr/bin/python3.11");
    assertEquals(List.of(torch), new PythonEnvironment(python).torches());
    assertEquals(List.of(torch, old), new PythonEnvironment(home.resolve("usr")).torches());
  }

  @Test
  void packagesOfTheBaseCountWhereTheEnvironmentSaysSo() throws IOException {
    Path torch = torch("base/lib/python3.12/site-packages");
    Path venv = Files.createDirectories(home.resolve("venv"));
    Files.createDirectories(venv.resolve("lib/python3.12/site-packages"));
    String config = "home = " + home.resolve("base/bin") + "\ninclude-system-site-packages = ";
    Files.writeString(venv.resolve("pyvenv.cfg"), config + "false\n");
    assertEquals(List.of(), new PythonEnvironment(venv).torches());
    Files.writeString(venv.resolve("pyvenv.cfg"), config + "true\n");
    assertEquals(List.of(torch), new PythonEnvironment(venv).torches());
  }

  @Test
  void linksFromLib64CountOnce() throws IOException {
    Path torch = torch("venv/lib/python3.12/site-packages");
    Files.createSymbolicLink(home.resolve("venv/lib64"), Path.of("lib"));
    assertEquals(List.of(torch), new PythonEnvironment(home.resolve("venv")).torches());
  }

  @Test
  void windowsHasAFolderOfItsOwn() throws IOException {
    Path torch = torch("env/Lib/site-packages");
    assertEquals(List.of(torch), new PythonEnvironment(file("env/Scripts/python.exe")).torches());
  }

  @Test
  void somethingElseHasNoPackages() throws IOException {
    assertEquals(List.of(), new PythonEnvironment(file("shims/python")).packages());
    assertEquals(List.of(), new PythonEnvironment(home).packages());
  }

  private Path torch(String packages) throws IOException {
    Path torch = Files.createDirectories(home.resolve(packages).resolve("torch"));
    Files.writeString(torch.resolve("version.py"), "__version__ = '2.7.1'\n");
    return torch;
  }

  private Path file(String name) throws IOException {
    Path file = home.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, "");
  }
}
