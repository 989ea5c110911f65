//! Files that are replaced whole.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use tempfile::{Builder, NamedTempFile};

/// Writes a file so that a reader, or a program that is killed or finds the disk full, meets the old content or the new
/// one, whole. What has no content to keep (a pipe, a device) is written to as it is.
///
/// # Errors
/// What the system refused; the old file is then unchanged.
pub fn replace(path: &Path, content: &[u8]) -> io::Result<()> {
    // Through a symbolic link: it stays one.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let old = fs::metadata(&target).ok();
    if old.as_ref().is_some_and(|old| !old.is_file()) {
        return fs::write(target, content);
    }
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = temporary(folder)?;
    file.write_all(content)?;
    if let Some(old) = old {
        file.as_file().set_permissions(old.permissions())?;
    }
    file.as_file().sync_all()?;
    file.persist(target)?;
    Ok(())
}

/// A file of a name that no other program has, which is gone when it is dropped.
///
/// # Errors
/// What the system refused.
pub(crate) fn temporary(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    builder.prefix(".").suffix(".tmp");
    #[cfg(unix)]
    {
        // As any new file has, less what the user's mask takes away; temporary files are private otherwise.
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_and_nothing_is_left_over() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("file");
        for content in ["first", "", "second"] {
            replace(&path, content.as_bytes())?;
            assert_eq!(fs::read_to_string(&path)?, content);
        }
        assert_eq!(fs::read_dir(folder.path())?.count(), 1);
        assert!(replace(&folder.path().join("no/such/folder"), b"").is_err());
        Ok(())
    }

    /// An open reader keeps the old content: the file was not written in place.
    #[test]
    #[cfg(unix)]
    fn the_old_content_is_whole_for_whoever_reads_it() -> io::Result<()> {
        use std::io::Read;
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir()?;
        let (path, link) = (folder.path().join("file"), folder.path().join("link"));
        fs::write(&path, "old")?;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640))?;
        symlink("file", &link)?;
        let mut reader = fs::File::open(&path)?;
        replace(&link, b"new")?;
        let mut seen = String::new();
        reader.read_to_string(&mut seen)?;
        assert_eq!((seen.as_str(), fs::read_to_string(&path)?.as_str()), ("old", "new"));
        assert!(fs::symlink_metadata(&link)?.is_symlink());
        assert_eq!(fs::metadata(&path)?.permissions().mode() & 0o777, 0o640);
        Ok(())
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_device_is_written_to() {
        let full = Path::new("/dev/full");
        assert!(replace(full, b"content").is_err());
        assert!(!fs::metadata(full).expect("still there").is_file());
    }
}
